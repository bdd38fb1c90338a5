/** An event, as far as its id tells of replays. */
export interface ReplayableRow {
  readonly sequence: number
  readonly id: string
  readonly provider: string
  readonly replay_of: number | null
}

/** The id that a replay gives to an event, or to its copy. */
export const replayId = (
  { provider, sequence }: Pick<ReplayableRow, 'provider' | 'sequence'>,
  token: string,
): string => `${provider}:replay:${token}:${sequence}`

/**
 * Whether a replay has given a dead letter another id than it came with.
 *
 * Its keys are then looked for in all of them: no index has them by event, which every record would pay for.
 */
export const wasRenamed = ({ sequence, id, provider, replay_of }: ReplayableRow): boolean =>
  replay_of === null && id.startsWith(`${provider}:replay:`) && id.endsWith(`:${sequence}`)
