import { openReceiver } from '@sallyport/test-support/hosts'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  createDiscordAlerts,
  createHttpAlerts,
  createSlackAlerts,
  createTeamsAlerts,
  type AlertTarget,
} from './index.ts'
import type { AlertMessage } from './message.ts'

const secret = `whsec_${Buffer.from('the secret of the operators.....').toString('base64')}`
const { signal } = new AbortController()

const message: AlertMessage = {
  messageId: '0d5b5c1e.1767225600000',
  id: '0d5b5c1e',
  name: 'dead_letters',
  status: 'firing',
  severity: 'error',
  title: 'Events are dead letters',
  text: '3 events have no attempts left.',
  since: Date.UTC(2026, 0),
  links: [{ label: 'Failures', url: 'https://hooks.example.com/console/failures' }],
}

/** Sends a message and returns the request. */
async function receive(create: (url: string) => AlertTarget, sent: Partial<AlertMessage> = {}) {
  await using receiver = await openReceiver()
  receiver.answer(204)
  await create(`${receiver.url}/hook`).send({ ...message, ...sent }, signal)
  return receiver.requests[0]!
}

describe('createHttpAlerts', () => {
  it('signs with Standard Webhooks and keeps the id of a message for each attempt', async () => {
    const create = (url: string) => createHttpAlerts({ url, secret })
    const first = await receive(create)
    const again = await receive(create)
    expect(new Webhook(secret).verify(first.body, first.headers as Record<string, string>)).toEqual({
      ...{ title: message.title, text: message.text, severity: 'error', links: message.links },
      alert: { id: '0d5b5c1e', name: 'dead_letters', status: 'firing', since: '2026-01-01T00:00:00.000Z' },
    })
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'])
    const end = await receive(create, {
      status: 'resolved',
      messageId: 'another',
      resolvedAt: Date.UTC(2026, 0, 2),
    })
    expect(end.headers['webhook-id']).not.toBe(first.headers['webhook-id'])
    expect(JSON.parse(end.body)).toMatchObject({ alert: { resolved_at: '2026-01-02T00:00:00.000Z' } })
  })
})

describe('chat targets', () => {
  it('posts blocks to Slack', async () => {
    const { body } = await receive((url) => createSlackAlerts({ url }))
    expect(JSON.parse(body)).toMatchObject({
      blocks: [
        { type: 'header', text: { text: ':rotating_light: Events are dead letters' } },
        { type: 'section', text: { text: message.text } },
        { type: 'context' },
      ],
    })
    expect(body).toContain('<https://hooks.example.com/console/failures|Failures>')
  })

  it('posts an embed to Discord that mentions no users', async () => {
    const { body } = await receive((url) => createDiscordAlerts({ url }))
    expect(JSON.parse(body)).toEqual({
      embeds: [
        {
          title: message.title,
          description: `${message.text}\n[Failures](https://hooks.example.com/console/failures)`,
          color: 0xc62828,
          footer: { text: 'dead_letters' },
          timestamp: '2026-01-01T00:00:00.000Z',
        },
      ],
      allowed_mentions: { parse: [] },
    })
  })

  it('posts an Adaptive Card to Teams', async () => {
    const { body } = await receive((url) => createTeamsAlerts({ url }))
    const { type, attachments } = JSON.parse(body) as {
      type: string
      attachments: readonly { contentType: string; content: { body: object[]; actions: object[] } }[]
    }
    expect([type, attachments[0]?.contentType]).toEqual([
      'message',
      'application/vnd.microsoft.card.adaptive',
    ])
    expect(attachments[0]?.content.body).toMatchObject([
      { text: message.title, color: 'attention' },
      { text: message.text },
      { text: 'dead_letters' },
    ])
    expect(attachments[0]?.content.actions).toMatchObject([{ type: 'Action.OpenUrl', title: 'Failures' }])
  })

  it('truncates a long message to Discord, never within a character', async () => {
    const emoji = '\u{1F6A8}'
    const { body } = await receive((url) => createDiscordAlerts({ url }), {
      title: `${'x'.repeat(254)}${emoji}${emoji}`,
      text: `${'y'.repeat(4094)}${emoji}${emoji}`,
    })
    const { embeds } = JSON.parse(body) as { embeds: { title: string; description: string }[] }
    expect(embeds[0]).toMatchObject({
      title: `${'x'.repeat(254)}…`,
      description: `${'y'.repeat(4094)}…`,
    })
  })

  it.each(['x', '\u4E2D', '\u{1F6A8}', '\u0001', '\uD83D'])(
    'keeps a message of 40,000 %j to Teams below 28 KB',
    async (character) => {
      const text = character.repeat(40_000)
      const { body } = await receive((url) => createTeamsAlerts({ url }), { title: text, name: text, text })
      expect(Buffer.byteLength(body)).toBeLessThan(28_000)
      expect(JSON.parse(body)).toMatchObject({ type: 'message' })
      expect(body).not.toMatch(/\\ud[89a-f]/i)
    },
  )

  it.each([
    ['http', (url: string) => createHttpAlerts({ url, secret })],
    ['slack', (url: string) => createSlackAlerts({ url })],
    ['discord', (url: string) => createDiscordAlerts({ url })],
    ['teams', (url: string) => createTeamsAlerts({ url })],
  ] as const)('rejects a refused message to %s without the URL in the error', async (name, create) => {
    await using receiver = await openReceiver()
    receiver.answer(500)
    const target = create(`${receiver.url}/secret-path`)
    expect(target.name).toBe(name)
    const error: unknown = await target.send(message, signal).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'HTTP_500' })
    expect(JSON.stringify(error) + String(error)).not.toContain('secret-path')
  })
})
