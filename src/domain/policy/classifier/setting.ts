/** `REELAY_CLASSIFIER`: the model of nsfwjs, or the absolute path of a module of the operator's own. */
export type ClassifierSetting = "on" | { readonly module: string };
