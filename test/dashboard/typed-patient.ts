export const typed = {
  'First name': 'Maya',
  'Last name': 'Rivera',
  'Date of birth': '1984-07-12',
  'Phone number': '+1 (202) 555-0142',
  Email: 'maya.rivera@example.com',
};
export const typedAddress = {
  Street: '18 Juniper Lane',
  City: 'Springfield',
  State: 'IL',
  'Postal code': '62704',
  Country: 'US',
};
export const typedProvider = { Name: 'Dr. Helen Okafor', Practice: 'Riverside Family Clinic' };
export const typedInsurance = {
  Company: 'Example Health Plan',
  Plan: 'Choice PPO',
  'Member ID': 'EHP204518837',
  'Group number': '70412',
  'Company phone number': '+1 202 555 0101',
};
