import type { MemberInsurance } from '#shared/domain/values.ts';
import type { InsuranceKind } from '../forms/patient-form.ts';

export const insuranceNames: Readonly<Record<InsuranceKind, string>> = {
  medical: 'Medical insurance',
  dental: 'Dental insurance',
  vision: 'Vision insurance',
};

type Relationship = NonNullable<MemberInsurance['relationship_to_subscriber']>;

/** The patient's relationship to the subscriber; unspecified counts as not given. */
export const relationshipNames: Readonly<
  Record<Exclude<Relationship, 'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED'>, string>
> = {
  SELF: 'Self',
  SPOUSE: 'Spouse',
  DEPENDENT: 'Dependent',
};
