/** A page that asks for a login, where a request for a file is sent that has lost its way. */
export const LOGIN_PATH = "/pages/login";

/** The page. */
export const LOGIN_PAGE = "<!doctype html><title>Sign in</title><h1>Please sign in</h1>";
