import { useEffect, useState } from "preact/hooks";
import type { DeviceSession } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { Dialog } from "../base/Dialog.tsx";

/** The devices that are logged in, and the way out for each. */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const { api, attempt, locale, say } = useChat();
  const [devices, setDevices] = useState<readonly DeviceSession[]>([]);
  const load = () => attempt(async () => setDevices(await api.devices()));
  useEffect(() => void load(), []);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

  async function logOut({ id, current }: DeviceSession) {
    await attempt(async () => {
      await (current ? api.logOut() : api.logOutDevice(id));
      if (!current) return;
      // What is being written is theirs, too.
      sessionStorage.clear();
      location.reload();
    });
    await load();
  }

  return (
    <Dialog title={say("page.panel.devices")} onClose={onClose}>
      <ul class="devices">
        {devices.map((device) => (
          <li key={device.id}>
            <span>
              <b>{device.device || say("page.devices.unknown")}</b>
              <small>
                {device.current
                  ? say("page.devices.current")
                  : say("page.devices.seen", { time: time.format(device.seen) })}
              </small>
            </span>
            <button type="button" class="button secondary" onClick={() => void logOut(device)}>
              {say("page.devices.log_out")}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
