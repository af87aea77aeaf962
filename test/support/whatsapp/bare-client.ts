import { FakeWhatsapp } from "./fake-whatsapp.ts";
import type { Person } from "./person.ts";
import type { WorldOptions } from "./world.ts";

/** What came back from a call. */
interface Answer {
  readonly status: number;
  readonly body: {
    readonly id?: string;
    readonly url?: string;
    readonly messages?: readonly { readonly id: string }[];
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** What a call may have beside its path. */
type Asking = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

/** A fake where Ann wrote something, and a client with nothing of Reelay's. */
export interface Bare extends AsyncDisposable {
  readonly fake: FakeWhatsapp;
  readonly ann: Person;
  /** Sends a message to Ann. */
  readonly send: (message: object, to?: string) => Promise<Answer>;
  readonly upload: (bytes: Buffer, type: string) => Promise<Answer>;
  readonly call: (path: string, init?: Asking) => Promise<Answer>;
}

/** Starts one. */
export async function met(options: WorldOptions = {}): Promise<Bare> {
  const fake = await FakeWhatsapp.start(options);
  const ann = fake.person({ name: "Ann" });
  ann.says("Hello");
  const call = async (path: string, { headers = {}, ...init }: Asking = {}): Promise<Answer> => {
    const response = await fetch(`${fake.url}/v23.0/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${fake.token}`, ...headers },
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
  return {
    fake,
    ann,
    call,
    send: (message, to = ann.waId) =>
      call(`${fake.phoneNumberId}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ messaging_product: "whatsapp", recipient_type: "individual", to, ...message }),
      }),
    upload(bytes, type) {
      const form = new FormData();
      form.set("messaging_product", "whatsapp");
      form.set("type", type);
      form.set("file", new File([new Uint8Array(bytes)], "file", { type }));
      return call(`${fake.phoneNumberId}/media`, { method: "POST", body: form });
    },
    [Symbol.asyncDispose]: () => fake.stop(),
  };
}

/** A message of words. */
export const text = (body: string): object => ({ type: "text", text: { body } });

/** A message with buttons. */
export const buttons = (...titles: readonly string[]): object =>
  interactive({
    type: "button",
    body: { text: "Which?" },
    action: { buttons: titles.map((title, nth) => ({ type: "reply", reply: { id: `b${nth}`, title } })) },
  });

/** A message with a list of one section. */
export const list = (rows: readonly object[], more: object = {}): object =>
  interactive({
    type: "list",
    body: { text: "Which?" },
    action: { button: "Choose", sections: [{ rows }] },
    ...more,
  });

/** A message of buttons or a list, as it is sent. */
export const interactive = (what: object): object => ({ type: "interactive", interactive: what });
