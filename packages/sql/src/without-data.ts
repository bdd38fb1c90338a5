/** An event of the bus, as JSON, without what it said. */
export function withoutData(event: string): string {
  const parsed = JSON.parse(event) as Record<string, unknown>
  delete parsed['data']
  return JSON.stringify(parsed)
}
