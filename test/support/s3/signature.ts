import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { S3Error } from "./error.ts";

/** Who may come in. */
export interface S3Keys {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How far a request's time may be from the store's, in milliseconds. */
const SKEW_MS = 15 * 60_000;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();

/** As RFC 3986 has it, which leaves less alone than `encodeURIComponent`. */
const escaped = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Checks a request as "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference describes it.
 * @param now the store's time, in milliseconds since 1970
 * @returns the SHA-256 that its body is to have, in hex; undefined where it is not signed
 * @throws S3Error
 */
export function checkSignature(
  { method = "", url = "/", headers }: IncomingMessage,
  { region, accessKeyId, secretAccessKey }: S3Keys,
  now: number,
): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) throw new S3Error(403, "AccessDenied");
  const [, id = "", day = "", scope = "", names = "", signature = ""] =
    AUTHORIZATION.exec(authorization) ?? [];
  if (!signature) throw new S3Error(400, "AuthorizationHeaderMalformed");
  if (id !== accessKeyId) throw new S3Error(403, "InvalidAccessKeyId");
  if (scope !== region) throw new S3Error(400, "AuthorizationHeaderMalformed");
  const header = (name: string) => [headers[name] ?? []].flat().join(",").trim().replaceAll(/ +/g, " ");
  const at = header("x-amz-date");
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
  if (!at.startsWith(day) || s === undefined) throw new S3Error(403, "AccessDenied");
  if (Math.abs(Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`) - now) > SKEW_MS)
    throw new S3Error(403, "RequestTimeTooSkewed");
  const payload = header("x-amz-content-sha256");
  if (!payload) throw new S3Error(400, "InvalidRequest");
  if (payload !== "UNSIGNED-PAYLOAD" && !/^[0-9a-f]{64}$/.test(payload))
    throw new S3Error(501, "NotImplemented");
  const signed = names.split(";");
  const mustBe = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  if (mustBe.some((name) => !signed.includes(name))) throw new S3Error(403, "AccessDenied");
  const { pathname, searchParams } = new URL(url, "http://store");
  const query = [...searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).toSorted();
  const canonical = [
    method,
    pathname.split("/").map(decodeURIComponent).map(escaped).join("/"),
    query.join("&"),
    ...signed.map((name) => `${name}:${header(name)}`),
    "",
    names,
    payload,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
  if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, "hex")))
    throw new S3Error(403, "SignatureDoesNotMatch");
  return payload === "UNSIGNED-PAYLOAD" ? undefined : payload;
}
