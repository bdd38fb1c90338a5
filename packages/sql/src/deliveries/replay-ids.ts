/** The columns of an event from which its id shows replays. */
export interface ReplayableRow {
  readonly sequence: number
  readonly id: string
  readonly provider: string
}

/** Creates the id of a replayed event or of its copy. */
export const replayId = (
  { provider, sequence }: Pick<ReplayableRow, 'provider' | 'sequence'>,
  token: string,
): string => `${provider}:replay:${token}:${sequence}`

/**
 * Whether a replay has given a dead letter a new id. The id of a copy contains the sequence of its original instead.
 *
 * The first id of such an event requires a scan of all keys: an index by event would slow down every record.
 */
export const wasRenamed = ({ sequence, id, provider }: ReplayableRow): boolean =>
  id.startsWith(`${provider}:replay:`) && id.endsWith(`:${sequence}`)
