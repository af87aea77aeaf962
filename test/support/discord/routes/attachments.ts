import type { RestRequest, Routes } from "../request.ts";

/** Fresh links for those that ran out. */
export const attachments: Routes = {
  "POST /attachments/refresh-urls": (
    { cdn },
    { body }: RestRequest<{ readonly attachment_urls: readonly string[] }>,
  ) => ({
    refreshed_urls: body.attachment_urls.map((original) => ({
      original,
      refreshed: cdn.refreshed(original) ?? null,
    })),
  }),
};
