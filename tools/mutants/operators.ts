import { parseSync, Visitor, type Expression, type Node, type Statement } from "oxc-parser";

/** One small change of a source, by positions in its text. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPPOSITE: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};

const PREDICATES: ReadonlySet<string> = new Set(["filter", "some", "every", "find", "findIndex", "findLast"]);

/** Every change that is tried in `source`, in a fixed order. Throws where it cannot be read as TypeScript. */
export function changesOf(name: string, source: string): Change[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message ?? "unreadable"}`);
  const changes: Change[] = [];
  const logged: { start: number; end: number }[] = [];
  const types: { start: number; end: number; value: string }[] = [];
  const text = (node: Node) => source.slice(node.start, node.end);
  const change = ({ start, end }: { start: number; end: number }, replacement: string) =>
    changes.push({ start, end, replacement });
  const negate = (test: Expression) => change(test, `!(${text(test)})`);
  const between = (left: Node, right: Node, operator: string) => {
    const opposite = OPPOSITE[operator];
    if (opposite === undefined || (operator === "+" && (isText(left) || isText(right)))) return;
    const start = source.indexOf(operator, left.end);
    change({ start, end: start + operator.length }, opposite);
  };

  new Visitor({
    IfStatement(node) {
      negate(node.test);
      if (node.alternate === null && leaves(node.consequent)) change(node, ";");
    },
    ConditionalExpression: ({ test }) => negate(test),
    WhileStatement: ({ test }) => change(test, "false"),
    BinaryExpression: ({ left, right, operator }) => between(left, right, operator),
    LogicalExpression(node) {
      if (node.operator === "??") change(node, text(node.left));
      else between(node.left, node.right, node.operator);
    },
    Literal(node) {
      if (typeof node.value === "boolean") change(node, String(!node.value));
      else if (typeof node.value === "number")
        change(node, String(node.value < 10 ? node.value + 1 : node.value * 10));
    },
    ExpressionStatement(node) {
      // Not only its `await`: the linter notices every promise that nobody waits for.
      if (node.expression.type !== "Literal") change(node, ";");
      if (node.expression.type === "AwaitExpression")
        change(node.expression, `void ${text(node.expression.argument)}`);
    },
    CallExpression(node) {
      const {
        callee,
        arguments: [first],
      } = node;
      if (/\blog\??\.\w+$/.test(text(callee))) logged.push(node);
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      if (!PREDICATES.has(callee.property.name) || first?.type !== "ArrowFunctionExpression") return;
      change(first, "() => true");
      change(first, "() => false");
    },
    ObjectExpression({ properties }) {
      for (const property of properties) {
        const after = /^\s*,/.exec(source.slice(property.end))?.[0].length ?? 0;
        change({ start: property.start, end: property.end + after }, "");
        if (
          property.type === "Property" &&
          text(property.key) === "type" &&
          property.value.type === "Literal"
        ) {
          const { start, end, value } = property.value;
          if (typeof value === "string") types.push({ start, end, value });
        }
      }
    },
  }).visit(program);

  for (const [index, type] of types.entries()) {
    const others = types.filter(({ value }) => value !== type.value);
    const other = others[index % others.length];
    if (other !== undefined) change(type, JSON.stringify(other.value));
  }
  // What a log says is for people who read it; nothing is decided by it.
  return changes.filter(
    ({ start, end }) => !logged.some((call) => start >= call.start && end <= call.end + 1),
  );
}

/** `source` with `change`. */
export function changed(source: string, { start, end, replacement }: Change): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function isText(node: Node): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

/** Whether nothing happens but that the function, or this round of a loop, is left. */
function leaves(statement: Statement): boolean {
  if (statement.type === "BlockStatement") {
    const [only, ...others] = statement.body;
    return only !== undefined && others.length === 0 && leaves(only);
  }
  return ["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"].includes(
    statement.type,
  );
}
