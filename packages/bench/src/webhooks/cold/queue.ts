/** Stands in for the client of a queue. */
export async function sendToQueue(message: unknown): Promise<void> {
  await Promise.resolve(JSON.stringify(message))
}
