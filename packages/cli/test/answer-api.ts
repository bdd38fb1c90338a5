import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../src/program.ts'

const token = 'header.claims.signature'

/** Runs the program with a list of API responses. */
export async function sallyport(
  args: readonly string[],
  ...answers: readonly (readonly [status: number, body: unknown])[]
) {
  const output: string[] = []
  const asked: { readonly url: string; readonly method: string; readonly body: unknown }[] = []
  const left = [...answers]
  const code = await run(args, '1.2.3', {
    // A folder that does not exist.
    env: { SALLYPORT_TOKEN: token, SALLYPORT_CONFIG_DIR: join(import.meta.dirname, 'no-configuration') },
    stdin: (async function* () {})(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      expect(request.headers.get('authorization')).toBe(`Bearer ${token}`)
      const text = await request.text()
      asked.push({
        url: request.url,
        method: request.method,
        body: text === '' ? undefined : JSON.parse(text),
      })
      const [status, body] = left.shift() ?? [500, {}]
      return Response.json(body, { status })
    },
    now: () => 0,
    sleep: () => Promise.resolve(),
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  })
  const shown = output.join('\n')
  expect(shown).not.toContain(token)
  return { code, output: shown, asked }
}
