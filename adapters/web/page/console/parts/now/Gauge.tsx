import { useDesk } from "../../state/context.ts";

/** How full something is, as a bar and in numbers. */
export function Gauge({ name, used, limit }: { name: string; used: number; limit: number }) {
  const { say } = useDesk();
  return (
    <li>
      <span class="gauge-name">{name}</span>
      <meter
        aria-label={name}
        min={0}
        max={limit}
        // A browser colours it by these: from here on somebody waits.
        high={limit * 0.9}
        optimum={0}
        value={Math.min(used, limit)}
      />
      <span class="gauge-value">{say("console.share", { used, limit })}</span>
    </li>
  );
}
