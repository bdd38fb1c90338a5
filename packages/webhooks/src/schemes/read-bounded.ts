import { joinBytes } from '../crypto/encoding.ts'

/** Reads a stream. Returns undefined, and cancels the stream, when it has more bytes than the limit. */
export async function readBounded(
  stream: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > maximumBytes) return undefined
    chunks.push(chunk)
  }
  return joinBytes(['', ...chunks])
}
