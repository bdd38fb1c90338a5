/** What `/ready` tells an admin. */
export async function readiness(base: string, token: string): Promise<unknown> {
  const response = await fetch(`${base}/ready`, { headers: { authorization: `Bearer ${token}` } })
  return response.json()
}
