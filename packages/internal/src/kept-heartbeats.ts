/** How long the heartbeats of dead processes are kept, in milliseconds. */
export const keptForMs = {
  /** While another process has the roles. */
  replaced: 10 * 60_000,
  unreplaced: 24 * 60 * 60_000,
} as const
