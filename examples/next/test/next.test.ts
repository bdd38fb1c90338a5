import { githubSecret, testExample, type Received, type Sent } from '@sallyport/test-support/hosts'
import { vi } from 'vitest'

type Route = Record<string, ((request: Request) => Promise<Response>) | undefined>

/** Calls the function that the route exports for the method, as Next does. */
async function send(
  route: Route,
  { method = 'POST', path = '/', headers = [], body, announcedLength }: Sent,
): Promise<Received> {
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
  if (announcedLength !== undefined) all.set('content-length', String(announcedLength))
  const init = { method, headers: all, ...(body instanceof Uint8Array && { body }) }
  const response = await route[method]!(new Request(`https://example.com${path}`, init))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

testExample(
  'Next',
  async () => {
    vi.stubEnv('WEBHOOK_SECRET_GITHUB', githubSecret)
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
    const route: Route = await import('../src/app/webhooks/[provider]/route.ts')
    return {
      send: (sent) => send(route, sent),
      output: () => log.mock.calls.flat().join(' '),
      async close() {
        vi.unstubAllEnvs()
        log.mockRestore()
      },
    }
  },
  { deduplicates: false },
)
