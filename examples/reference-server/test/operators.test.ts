import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '@sallyport/providers/codehost/samples'
import { openReceiver, type ReceivedRequest } from '@sallyport/test-support/hosts'
import type { HttpNotification } from '@sallyport/webhooks/notifiers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  temporaryDirectory,
} from './server-process.ts'

const whsec = (seed: string) => `whsec_${Buffer.from(seed.padEnd(32, '.')).toString('base64')}`
const secret = whsec('the secret of the operators')

interface WorkflowRunPayload {
  readonly workflow_run: { readonly html_url: string }
}

/** A delivery of a run, each number another. */
const payload = samples.sample('workflow_run.completed').body as WorkflowRunPayload
const getRun = (id: number) => ({ ...payload, workflow_run: { ...payload.workflow_run, id } })

/** Verifies the signature of a request and returns its notification. */
function verified({ body, headers }: ReceivedRequest, key = secret): HttpNotification {
  return new Webhook(key).verify(body, headers as Record<string, string>) as HttpNotification
}

describe("the operators' gateway", () => {
  it('that fails and hangs gets the message later, signed, and never holds the event back', async () => {
    await using data = await temporaryDirectory()
    await using gateway = await openReceiver('hang')
    await using server = await startInProcess({
      DATA_DIR: data.path,
      OPERATOR_URL: `${gateway.url}/messages/private-path?key=private`,
      OPERATOR_SECRET: secret,
    })
    const secrets = await getSecrets(data.path)
    expect(secrets['OPERATOR_SECRET']).toBeUndefined()
    const token = await adminToken(server.base, secrets)
    const sent = await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, getRun(1))
    const { id } = sent.data.events[0]!

    // Published while the gateway has been asked and has not answered.
    await expect.poll(() => gateway.requests.length).toBe(1)
    await expect.poll(async () => (await publishedEvents(server.base, token)).length).toBe(1)

    gateway.answer(500)
    await expect.poll(() => gateway.requests.length).toBeGreaterThan(1)
    gateway.answer(204)
    const failed = gateway.requests.length
    await expect.poll(() => gateway.requests.length).toBeGreaterThan(failed)

    const last = gateway.requests.at(-1)!
    expect([last.method, last.path]).toEqual(['POST', '/messages/private-path?key=private'])
    const { event, ...message } = verified(last)
    expect(event).toMatchObject({ id, name: 'codehost/workflow_run.completed', provider: 'codehost' })
    expect(event).not.toHaveProperty('data')
    expect(message).toMatchObject({
      severity: expect.any(String) as string,
      title: expect.any(String) as string,
    })
    expect(message.links).toContainEqual({
      label: expect.any(String) as string,
      url: payload.workflow_run.html_url,
    })
    expect(new Set(gateway.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(() => verified({ ...last, body: last.body.replace('title', 'Title') })).toThrow()

    // The log says what happened, and neither the secret nor the address.
    await expect.poll(() => server.output()).toContain('HTTP_500')
    expect(server.output()).not.toContain(secret)
    expect(server.output()).not.toContain('private')
  })

  it('gets notifications signed with a new secret without a restart', async () => {
    await using directory = await temporaryDirectory()
    const folder = join(directory.path, 'secrets')
    await mkdir(folder)
    const key = 'the secret of the webhook'
    const files = {
      JWT_SECRET: 'x'.repeat(32),
      WEBHOOK_SECRET_CODEHOST: key,
      OPERATOR_SECRET: `${secret}\n${whsec('the former one')}`,
    }
    for (const [name, value] of Object.entries(files)) await writeFile(join(folder, name), `${value}\n`)
    await using gateway = await openReceiver()
    await using server = await startInProcess({
      NODE_ENV: 'production',
      LOG_LEVEL: 'silent',
      DATA_DIR: join(directory.path, 'data'),
      SECRETS_DIR: folder,
      OPERATOR_URL: gateway.url,
    })
    await sendWorkflowRun(server.base, key, getRun(1))
    await expect.poll(() => gateway.requests.length).toBe(1)
    expect(verified(gateway.requests[0]!).event.provider).toBe('codehost')

    const renewed = whsec('the next one')
    await writeFile(join(folder, 'OPERATOR_SECRET'), renewed)
    let run = 1
    await expect
      .poll(async () => {
        await sendWorkflowRun(server.base, key, getRun(++run))
        return gateway.requests.some((one) => {
          try {
            return verified(one, renewed).event.provider === 'codehost'
          } catch {
            return false
          }
        })
      })
      .toBe(true)
  })
})

describe('the configuration of the operators', () => {
  const production = {
    NODE_ENV: 'production',
    JWT_SECRET: 'x'.repeat(32),
    OPERATOR_URL: 'https://operators.example.com/messages',
  }
  const getErrors = async (environment: Record<string, string>) => {
    await using data = await temporaryDirectory()
    return await startProblems({ DATA_DIR: join(data.path, 'data'), ...environment })
  }

  it('needs a secret in production', async () => {
    const [error, ...others] = await getErrors(production)
    expect(error).toMatch(/^OPERATOR_SECRET is missing: .*openssl rand/)
    expect(others).toEqual([])
  })

  it.each([{ NODE_ENV: 'production' }, { NODE_ENV: 'development' }])(
    'takes no secret that is not what Standard Webhooks signs with: %j',
    async (mode) => {
      const [error, ...others] = await getErrors({
        ...production,
        ...mode,
        OPERATOR_SECRET: 'hunter2 hunter2',
      })
      expect(error).toMatch(/^OPERATOR_SECRET has to be whsec_ and base64/)
      expect(error).not.toContain('hunter2')
      expect(others).toEqual([])
    },
  )

  it.each(['ftp://operators.example.com', 'operators.example.com', 'https://user:hunter2@example.com'])(
    'rejects such an address and also reports the missing secret: %s',
    async (address) => {
      const errors = await getErrors({ ...production, OPERATOR_URL: address })
      expect(errors.map((line) => line.split(' ')[0])).toEqual(['OPERATOR_URL', 'OPERATOR_SECRET'])
      expect(errors.join()).not.toContain('hunter2')
    },
  )

  it('reports why the store is unavailable', async () => {
    const [error] = await getErrors({
      ...production,
      SECRETS_COMMAND: 'f() { [ "$1" != OPERATOR_SECRET ]; }; f',
    })
    expect(error).toBe('SECRETS_COMMAND failed for OPERATOR_SECRET: it ended with exit code 1')
  })
})
