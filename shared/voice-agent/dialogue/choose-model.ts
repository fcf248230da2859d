import type { Project } from '#shared/domain/project.ts';
import type { DialogueModel } from './dialogue-model.ts';

/** The dialogue models available for a conversation. */
export interface DialogueModels {
  /** The deployment's configured model. */
  readonly model: DialogueModel;
  /** The built-in model, if the deployment has another one configured. */
  readonly builtInModel?: DialogueModel;
}

/**
 * The model for a new call of a project. Personas talk with the built-in model unless the project says
 * otherwise, so a trial costs nothing.
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

/** The model that began a conversation keeps it, even if the project's settings change. */
export function modelNamed(models: DialogueModels, name: string): DialogueModel {
  const { model, builtInModel = model } = models;
  return name === builtInModel.name ? builtInModel : model;
}
