/** Line drawings on a 24 by 24 grid. */
const PATHS = {
  photo:
    "M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9h.01",
  spark: "M12 3l1.9 5.6L19.5 10.5l-5.6 1.9L12 18l-1.9-5.6L4.5 10.5l5.6-1.9zM19 16v4M17 18h4",
  sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  swap: "M7 8.5h12M16 5.5l3 3-3 3M17 15.5H5M8 12.5l-3 3 3 3",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  contrast: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
  download: "M12 4v11M7.5 11L12 15.5 16.5 11M5 19.5h14",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4.5 4.5",
  alert: "M12 4l9 15.5H3zM12 10v4M12 16.8h.01",
  coin: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v8M9.5 10.2h3.7a1.6 1.6 0 0 1 0 3.6H9.8",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
  left: "M14.5 6l-6 6 6 6",
  right: "M9.5 6l6 6-6 6",
  unfold: "M8 10l4-4 4 4M8 14l4 4 4-4",
  video:
    "M4 7.5A2.5 2.5 0 0 1 6.5 5h11A2.5 2.5 0 0 1 20 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 16.5zM10 9l5 3-5 3z",
  sound:
    "M9 17.5V5.5l10-2v12M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  brush:
    "M20 4c-4 1-8.5 5-10.5 9l2.5 2.5c4-2 7-7 8-11.5zM9 13.5c-2 0-3.5 1.5-3.5 3.5 0 1-.5 2-1.5 2.5 3 1 7.5 0 7.5-3.5",
  undo: "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4",
  covered:
    "M4 12s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5S4 12 4 12zM12 9.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM4.5 19.5l15-15",
  file: "M7 3.5h7l4.5 4.5v12.5H7zM14 3.5V8h4.5",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words that say the same: hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
