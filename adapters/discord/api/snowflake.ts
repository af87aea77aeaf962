import { SnowflakeUtil } from "discord.js";

/** Whether what Discord gave an id to is from before a time, in milliseconds since 1970 (reference, "Snowflakes"). */
export const isOlder = (id: string, before: number) => SnowflakeUtil.timestampFrom(id) < before;
