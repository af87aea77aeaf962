import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import {
  type GatedCall,
  Network,
  NotFound,
  RateLimited,
  ServiceFailure,
} from "../../../src/infrastructure/api/media-api.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { client, KEY, VIDEO } from "./client.ts";
import { answer, hang, json, refusal, reset, serve, type TestServer } from "./server.ts";

const ID = "0b9c8a57-5f0e-4d0c-9a53-0d3a4f9a0001";

const asked = (server: TestServer) => server.requests.map(({ method, path }) => `${method} ${path}`);

const listing = (id: string, has_next: boolean) => json({ jobs: [{ id }], pagination: { has_next } });

describe("what is read", () => {
  it("takes an answer that lists nothing at all for a failure, never for an empty list", async () => {
    await using server = await serve(json({}));
    await using used = client(server.baseUrl, { retry: { attempts: 1 } });
    await expect(used.api.jobs()).rejects.toMatchObject({ code: "service_error" });
  });

  it("reads every page of the job list as it is taken", async () => {
    await using server = await serve(listing("a", true), listing("b", true), listing("c", false));
    await using used = client(server.baseUrl);
    const ids: string[] = [];
    for await (const { id } of used.api.allJobs({ status: "FAILED" })) ids.push(id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(asked(server)[2]).toBe("GET /api/jobs?page=3&per_page=100&status=FAILED");
  });

  it("takes a deletion whose answer was lost for done when there is nothing left to delete", async () => {
    await using server = await serve(reset, refusal(404, "Job not found"));
    await using used = client(server.baseUrl);
    await used.api.deleteVideoJob(ID);
    expect(server.requests).toHaveLength(2);
    await expect(used.api.deleteVideoJob(ID)).rejects.toBeInstanceOf(NotFound);
  });

  it.each([404, 410])("takes no page with %i for word that a job is gone", async (status) => {
    await using server = await serve(reset, answer(status, "<html>No such page</html>"));
    await using used = client(server.baseUrl);
    await expect(used.api.deleteVideoJob(ID)).rejects.toBeInstanceOf(ServiceFailure);
    await expect(used.api.job(ID)).rejects.toBeInstanceOf(ServiceFailure);
  });

  it("reads again on a new connection when the kept one has died", async () => {
    await using server = await serve(json({ tokens: 1 }), reset, json({ tokens: 2 }));
    await using used = client(server.baseUrl);
    await used.api.balance();
    expect(await used.api.balance()).toMatchObject({ tokens: 2 });
  });

  it("reads a record that carries its whole video in base64, without the base64", async () => {
    const video_base64 = `data:video/mp4;base64,${"A".repeat(8_000_000)}`;
    await using server = await serve(
      json({ job_id: ID, status: "COMPLETED", video_base64, video_url: "/v.mp4" }),
    );
    await using used = client(server.baseUrl);
    const { state, videoUrl, raw } = await used.api.job(ID);
    expect({ state, videoUrl }).toEqual({ state: "completed", videoUrl: "/v.mp4" });
    expect(raw).toMatchObject({ video_base64: "" });
  });

  it("refuses a job record that names no job", async () => {
    await using server = await serve(json({ status: "COMPLETED" }));
    await using used = client(server.baseUrl);
    await expect(used.api.job(ID)).rejects.toBeInstanceOf(ServiceFailure);
  });
});

describe("the gate", () => {
  it("stands before every attempt and sees what came of it", async () => {
    await using server = await serve(
      refusal(429, "Too many requests. Please slow down."),
      reset,
      json({ tokens: 1 }),
      json({ job_id: ID }),
      answer(200, "file"),
    );
    const calls: (readonly [GatedCall["group"], string, string])[] = [];
    const gate = async <T>({ group, paid }: GatedCall, send: () => Promise<T>): Promise<T> => {
      try {
        const result = await send();
        calls.push([group, paid ? "paid" : "free", "passed"]);
        return result;
      } catch (error) {
        calls.push([group, paid ? "paid" : "free", error instanceof RateLimited ? "limited" : "failed"]);
        throw error;
      }
    };
    await using used = client(server.baseUrl, { gate });
    await used.api.balance();
    await used.api.generateVideo(VIDEO);
    await text((await used.api.download("/api/vid3-ref2v/1/video")).stream);
    await text((await used.api.download("/files/1.mp4")).stream);
    expect(calls).toEqual([
      ["user", "free", "limited"],
      ["user", "free", "failed"],
      ["user", "free", "passed"],
      ["video", "paid", "passed"],
      ["status", "free", "passed"],
    ]);
  });

  it("may refuse: then nothing is sent", async () => {
    await using server = await serve(json({ job_id: ID }));
    await using used = client(server.baseUrl, { gate: () => Promise.reject(new RangeError("cancelled")) });
    await expect(used.api.generateVideo(VIDEO)).rejects.toThrow("cancelled");
    expect(server.requests).toHaveLength(0);
  });
});

describe("a signal", () => {
  it("stops a request, whether given to the client or to the call", async () => {
    await using server = await serve(hang);
    const all = new AbortController();
    await using used = client(server.baseUrl, { signal: all.signal });
    const one = new AbortController();
    const stopped = used.api.balance({ signal: one.signal });
    one.abort(new Error("the person left"));
    await expect(stopped).rejects.toThrow("the person left");
    all.abort(new Error("shutting down"));
    await expect(used.api.generateVideo(VIDEO)).rejects.toThrow("shutting down");
    expect(server.requests.some(({ method }) => method === "POST")).toBe(false);
  });

  it("leaves a submission unsure once it has been sent, whatever the reason", async () => {
    const stop = new AbortController();
    await using server = await serve((request) => {
      request.resume().on("end", () => stop.abort(new ReelayError("media_gone")));
    });
    await using used = client(server.baseUrl);
    await expect(used.api.generateVideo(VIDEO, stop)).rejects.toMatchObject({ code: "unsure" });
  });
});

describe("a download", () => {
  it("streams from the service with the key, absolute or relative", async () => {
    await using server = await serve(
      answer(200, "the film", { "content-type": "video/mp4", "content-length": "8" }),
    );
    await using used = client(server.baseUrl);
    for (const url of ["/files/a.mp4", "/api/files/a.mp4", `${server.origin}/files/a.mp4`]) {
      const { stream, type, bytes } = await used.api.download(url);
      expect(await text(stream)).toBe("the film");
      expect([type, bytes]).toEqual(["video/mp4", 8]);
    }
    expect(asked(server)).toEqual(["GET /files/a.mp4", "GET /api/files/a.mp4", "GET /files/a.mp4"]);
    expect(server.requests.every(({ headers }) => headers["x-api-key"] === KEY)).toBe(true);
  });

  it("never carries the key to another origin, neither at once nor by a redirect", async () => {
    await using elsewhere = await serve(answer(200, "the film"));
    await using server = await serve(answer(302, "", { location: `${elsewhere.origin}/bucket/a.mp4` }));
    await using used = client(server.baseUrl);
    for (const url of ["/files/a.mp4", `${elsewhere.origin}/bucket/a.mp4`])
      expect(await text((await used.api.download(url)).stream)).toBe("the film");
    expect(server.requests[0]?.headers["x-api-key"]).toBe(KEY);
    expect(elsewhere.requests).toHaveLength(2);
    for (const { headers, path } of elsewhere.requests) {
      expect(headers).not.toHaveProperty("x-api-key");
      expect(path).not.toContain(KEY);
    }
  });

  it("begins again where it failed to begin, and only there", async () => {
    await using server = await serve(reset, answer(503, ""), answer(200, "the film"));
    await using used = client(server.baseUrl);
    expect(await text((await used.api.download("/files/a.mp4")).stream)).toBe("the film");
    expect(server.requests).toHaveLength(3);
  });

  it("fails where the stream stalls", async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("the");
    });
    await using used = client(server.baseUrl, {}, { bodyTimeoutMs: 150 });
    const { stream } = await used.api.download("/files/a.mp4");
    await expect(text(stream)).rejects.toMatchObject({ code: "UND_ERR_BODY_TIMEOUT" });
  });

  it("says what an address that leads nowhere means", async () => {
    await using elsewhere = await serve(answer(403, "<Error>Expired</Error>"));
    await using server = await serve(refusal(404, "File not found"));
    await using used = client(server.baseUrl);
    await expect(used.api.download("/files/a.mp4")).rejects.toBeInstanceOf(NotFound);
    await expect(used.api.download(`${elsewhere.origin}/a.mp4`)).rejects.toBeInstanceOf(NotFound);
    await using store = await serve(answer(404, "<html>No such file</html>"));
    await using stored = client(store.baseUrl);
    await expect(stored.api.download("/files/a.mp4")).rejects.toBeInstanceOf(NotFound);
    await expect(used.api.download("file:///etc/passwd")).rejects.toBeInstanceOf(ServiceFailure);
  });

  it("does not go round in circles", async () => {
    await using server = await serve(answer(302, "", { location: "/files/a.mp4" }));
    await using used = client(server.baseUrl, { retry: { attempts: 1 } });
    await expect(used.api.download("/files/a.mp4")).rejects.toBeInstanceOf(ServiceFailure);
    expect(server.requests).toHaveLength(6);
  });
});

describe("connections", () => {
  it("are shared between clients and outlive each of them", async () => {
    await using server = await serve(json({ tokens: 1 }));
    await using used = client(server.baseUrl);
    await used.api.close();
    expect(await used.api.balance()).toMatchObject({ tokens: 1 });
  });

  it("end with a client that has its own", async () => {
    await using server = await serve(json({ tokens: 1 }));
    const { api } = client(server.baseUrl, { transport: undefined, retry: { attempts: 1 } });
    await api.balance();
    await api.close();
    await expect(api.balance()).rejects.toBeInstanceOf(Network);
  });
});
