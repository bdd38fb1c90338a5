/** An event, as far as its id tells of replays. */
export interface ReplayableRow {
  readonly sequence: number
  readonly id: string
  readonly provider: string
}

/** The id that a replay gives to an event, or to its copy. */
export const replayId = (
  { provider, sequence }: Pick<ReplayableRow, 'provider' | 'sequence'>,
  token: string,
): string => `${provider}:replay:${token}:${sequence}`

/**
 * Whether a replay has given a dead letter another id than it came with: a copy has the place of its original in the first.
 *
 * Its keys are then looked for in all of them: no index has them by event, which every record would pay for.
 */
export const wasRenamed = ({ sequence, id, provider }: ReplayableRow): boolean =>
  id.startsWith(`${provider}:replay:`) && id.endsWith(`:${sequence}`)
