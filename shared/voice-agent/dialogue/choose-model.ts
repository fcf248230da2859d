import type { Project } from '#shared/domain/project.ts';
import type { DialogueModel } from './dialogue-model.ts';

/** The dialogue models that a conversation can be held with. */
export interface DialogueModels {
  /** The one that the deployment is configured with. */
  readonly model: DialogueModel;
  /** The built-in one, where the deployment is configured with another. */
  readonly builtInModel?: DialogueModel;
}

/**
 * The model for a new call of a project. Simulated people are met with the built-in model unless the project says
 * otherwise, so that trying the service out costs nothing.
 */
export function chooseModel(
  models: DialogueModels,
  project: Pick<Project, 'carrier' | 'agent'>,
): DialogueModel {
  const { model, builtInModel = model } = models;
  switch (project.agent.language_model) {
    case 'built-in':
      return builtInModel;
    case 'language-model':
      return model;
    case 'default':
      return project.carrier === 'live' ? model : builtInModel;
  }
}

/** The model that has begun a conversation holds it to its end, whatever becomes of the project's settings. */
export function modelNamed(models: DialogueModels, name: string): DialogueModel {
  const { model, builtInModel = model } = models;
  return name === builtInModel.name ? builtInModel : model;
}
