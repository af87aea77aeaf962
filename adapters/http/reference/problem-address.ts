/** The `type` of a problem ends with its code; what is said of that has an address of Redoc's own. */
function leadToProblem(): void {
  const [, code] = /^#(\w+)$/.exec(location.hash) ?? [];
  if (code !== undefined) location.replace(`#/problems/${code}`);
}

leadToProblem();
addEventListener("hashchange", leadToProblem);
