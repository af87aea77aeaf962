// Loaded before the program: a machine whose clock is another, from the start or once it is told so (SIGUSR2).
const AHEAD_MS = Number(process.env["CLOCK_AHEAD_MS"] ?? 0);
const SET_BY_MS = 600_000;

const TrueDate = Date;
let ahead = AHEAD_MS;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [TrueDate.now() + ahead] : given, made),
  apply: () => new Date().toString(),
  get: (target, name) => (name === "now" ? () => TrueDate.now() + ahead : Reflect.get(target, name)),
});

process.on("SIGUSR2", () => (ahead += SET_BY_MS));
