@rem What "npm start" ends with is a word of other shells: there, npm's signals reach the server itself. Here it runs what follows.
@%*
