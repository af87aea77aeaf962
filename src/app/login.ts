/** The name of the secret in the vault that logs whoever runs Reelay in on any node of a database. */
export const LOGIN = "login";
