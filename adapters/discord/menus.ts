/** What is offered under a message. */
export const MENUS = {
  animate: "discord.menu.animate",
  edit: "discord.menu.edit",
  make: "discord.menu.make",
} as const;
