// Redoc reads the address as soon as it is there: it finds it as it is to be. It comes with the linter of the document,
// ready for browsers and without a package of its own; by itself it would bring React and a good forty others.
import "./problem-address.ts";
import "@redocly/cli/lib/chunks/redoc.standalone.js";
