/**
 * Parses `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<sequence>.<stored at>.<pending>`. Newer servers insert a
 * domain and an account after the second token.
 *
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
export function readReply(reply: string): { readonly deliveries: number; readonly sequence: number } {
  const tokens = reply.split('.')
  const first = tokens.length === 9 ? 4 : 6
  return {
    deliveries: Number(tokens[first]),
    /** Sequence in the stream. */
    sequence: Number(tokens[first + 1]),
  }
}
