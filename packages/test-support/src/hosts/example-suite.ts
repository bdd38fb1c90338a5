import { github } from '@sallyport/providers/github'
import { builtInSamples } from '@sallyport/providers/samples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toBytes, type Host, type Received, type Sent } from './host.ts'
import { readError } from './opener.ts'

/** The secret of the provider github in the examples. */
export const githubSecret = 'the secret of a GitHub webhook'

/** A running example with its own gateway. */
export interface Example extends Host {
  /** Returns the output of the example so far. */
  readonly output: () => string
}

export interface ExampleTestOptions {
  /** Whether the example detects duplicate events. @default true */
  readonly deduplicates?: boolean
  /** The response of the example's own route `/`, if it has one. */
  readonly home?: string
}

/** Defines the tests that every example must pass. */
export function testExample(
  name: string,
  open: () => Promise<Example>,
  { deduplicates = true, home }: ExampleTestOptions = {},
): void {
  const path = '/webhooks/github'

  describe(`the example of ${name}`, () => {
    let host: Example
    beforeAll(async () => {
      host = await open()
    })
    afterAll(() => host.close())
    const send = (sent: Sent): Promise<Received> => host.send({ path, ...sent })

    it('accepts a signed delivery and passes its event to the example', async () => {
      const { body, headers } = await createGithubDelivery()
      const answer = await send({ body, headers })
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text)).toMatchObject({
        data: { status: 'accepted', events: [{ name: 'github/workflow_run.completed', duplicate: false }] },
      })
      await expect.poll(host.output).toContain('github/workflow_run.completed')
    })

    it('reports the status of a repeated event', async () => {
      const { body, headers } = await createGithubDelivery()
      const [first, second] = [await send({ body, headers }), await send({ body, headers })]
      const status = deduplicates ? 'duplicate' : 'accepted'
      expect(JSON.parse(second.text)).toMatchObject({
        data: { status, events: [{ id: readId(first), name: 'github/workflow_run.completed' }] },
      })
    })

    it('rejects a forged delivery', async () => {
      const { body, headers } = await createGithubDelivery('a guess')
      expect(readError(await send({ body, headers }))).toEqual([401, 'INVALID_SIGNATURE'])
    })

    it('rejects a body over the limit of the provider', async () => {
      const announcedLength = (github.bodyLimit ?? 0) + 1
      const answer = await send({ body: new Uint8Array(1), announcedLength })
      expect(readError(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    })

    if (home !== undefined) {
      it('serves its own route', async () => {
        const { status, text } = await send({ method: 'GET', path: '/' })
        expect([status, text.trim()]).toEqual([200, home])
      })
    }

    it('rejects a delivery by GET', async () => {
      expect(readError(await send({ method: 'GET' }))).toEqual([405, 'METHOD_NOT_ALLOWED'])
    })
  })
}

/** Creates a signed delivery of GitHub with a new event. `extra` adds fields to the payload. */
export async function createGithubDelivery(
  secret = githubSecret,
  extra: object = {},
): Promise<Required<Pick<Sent, 'headers'>> & { body: Uint8Array<ArrayBuffer> }> {
  const load = builtInSamples.get('github')
  if (load === undefined) throw new Error('The samples of github are missing')
  const samples = await load()
  const { headers, body: value } = samples.sample('workflow_run.completed', { fresh: true })
  const body = toBytes({ ...(value as object), ...extra })
  const request = { method: 'POST', headers: new Headers(headers), body }
  const proof = await github.signature.sign(request, secret, Date.now())
  return { body, headers: Object.entries({ ...headers, ...proof }) }
}

function readId({ text }: Received): string | undefined {
  const { data } = JSON.parse(text) as {
    readonly data: { readonly events: readonly { readonly id: string }[] }
  }
  return data.events[0]?.id
}
