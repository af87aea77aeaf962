import type { JobSummary, NoticeView, View } from "../views.ts";

/** What is shown instead of a job that is gone. */
export const deletedNotice = (job?: JobSummary): NoticeView => ({
  kind: "notice",
  text: { key: "job.deleted" },
  ...(job && { job }),
});

/** Whether a view stands for a job that is gone. */
export const isDeletedNotice = (view: View): boolean =>
  view.kind === "notice" && view.text.key === deletedNotice().text.key;
