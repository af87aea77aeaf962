/** What this program makes itself: partners' tokens, what signs webhooks, operators' links and what keeps a browser logged in. */
const OWN =
  /\brly(?:test)?_[a-z0-9-]{1,40}_[0-9a-f]{8}_[\w-]{43}|\bwhsec_[A-Za-z0-9+/=]{32,}|(?<![\w.-])(?:op-[0-9a-f]{8}|[\w-]{12})\.[\w-]{43}(?![\w.-])/;

/** A secret in a text whose shape is ours, whoever's installation made it. */
export function ownSecretIn(text: string): string | undefined {
  return OWN.exec(text)?.[0];
}
