/** Whether an address is being dragged. */
export const carriesAddress = (data: DataTransfer | null) => data?.types.includes("text/uri-list") ?? false;

/** The address that was dropped: of the picture itself, where that is in a link to something else. */
export function addressIn(data: DataTransfer): string | undefined {
  const page = new DOMParser().parseFromString(data.getData("text/html"), "text/html");
  const lines = data.getData("text/uri-list").split(/\r?\n/);
  // Lines with a mark are remarks (RFC 2483, section 5).
  return (
    page.querySelector("img")?.getAttribute("src") ?? lines.find((line) => line && !line.startsWith("#"))
  );
}
