import { useRef, useState } from "preact/hooks";
import type { Translate } from "../../../../src/common/i18n.ts";
import type { Remark } from "../../../../src/seam/surface/setup.ts";
import { API } from "./api.ts";

/** Posts a line in a channel, once the bot was invited there. @param onLost hears that there was no such answer */
export function TestMessage({ say, onLost }: { say: Translate; onLost: () => Promise<void> }) {
  const box = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState<Remark>();
  async function post() {
    const channel = box.current?.value.trim() ?? "";
    if (!/^\d{15,22}$/.test(channel)) setSaid({ key: "setup.discord.no_channel" });
    else
      try {
        setSaid(await API.tryOut(channel));
      } catch {
        setSaid({ key: "error.internal" });
        await onLost();
      }
  }
  return (
    <div class="field">
      <label class="field-label" for="channel">
        {say("setup.discord.channel")}
      </label>
      <div class="setup-buttons">
        <input id="channel" ref={box} type="text" inputMode="numeric" autocomplete="off" />
        <button type="button" class="button" onClick={() => void post()}>
          {say("setup.discord.try")}
        </button>
      </div>
      {said && <p role="status">{say(said.key, said.params)}</p>}
    </div>
  );
}
