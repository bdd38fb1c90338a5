/** Reads the body of a response. @throws Error that begins with `name` for a larger body */
export async function readAtMost(
  response: Response,
  maxBytes: number,
  name: string,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? new Blob([]).stream()) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`${name} is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
