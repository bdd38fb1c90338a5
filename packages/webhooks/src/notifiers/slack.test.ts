import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WebhookEvent, Message } from '../ports/event.ts'
import { createSlackNotifier } from './index.ts'

const event: WebhookEvent = {
  id: 'doorbell:bell.rung:1',
  name: 'doorbell/bell.rung',
  subject: 'front',
  ts: 0,
  data: {},
  source: { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 0 },
}

interface Body {
  readonly text: string
  readonly blocks: readonly {
    readonly type: string
    readonly text?: { readonly type: string; readonly text: string }
    readonly elements?: readonly { readonly text: string }[]
  }[]
}

/** Returns the request body for a message. */
async function sendMessage(message: Partial<Message>): Promise<Body> {
  let body = ''
  const fetch: typeof globalThis.fetch = async (_, init) => {
    if (typeof init?.body === 'string') body = init.body
    return new Response('ok')
  }
  const whole: Message = { title: 'The bell', text: 'It rang', severity: 'info', ...message }
  const { signal } = new AbortController()
  await createSlackNotifier({ url: 'https://hooks.slack.test/x', fetch }).notify(whole, event, signal)
  return JSON.parse(body) as Body
}

describe('createSlackNotifier', () => {
  it('writes a header, a section and a context', async () => {
    const links = [
      { label: 'Run', url: 'https://ci.example.com/run?a=1&b=2' },
      { label: 'Log', url: 'https://ci.example.com/log' },
    ]
    expect(await sendMessage({ title: 'The build failed', text: 'Of main', severity: 'error', links }))
      .toMatchInlineSnapshot(`
        {
          "blocks": [
            {
              "text": {
                "emoji": true,
                "text": ":rotating_light: The build failed",
                "type": "plain_text",
              },
              "type": "header",
            },
            {
              "text": {
                "text": "Of main",
                "type": "mrkdwn",
                "verbatim": true,
              },
              "type": "section",
            },
            {
              "elements": [
                {
                  "text": "<https://ci.example.com/run?a=1&amp;b=2|Run> · <https://ci.example.com/log|Log> · doorbell/bell.rung",
                  "type": "mrkdwn",
                  "verbatim": true,
                },
              ],
              "type": "context",
            },
          ],
          "text": ":rotating_light: *The build failed*
        Of main
        <https://ci.example.com/run?a=1&amp;b=2|Run> · <https://ci.example.com/log|Log> · doorbell/bell.rung",
          "unfurl_links": false,
          "unfurl_media": false,
        }
      `)
  })

  it.each([
    ['info', ':information_source:'],
    ['warning', ':warning:'],
    ['error', ':rotating_light:'],
  ] as const)('shows the severity %s as %s', async (severity, emoji) => {
    const { text, blocks } = await sendMessage({ severity })
    expect([text, blocks[0]?.text?.text]).toEqual([
      `${emoji} *The bell*\nIt rang\ndoorbell/bell.rung`,
      `${emoji} The bell`,
    ])
  })

  it('escapes mentions and links', async () => {
    const title = '<!channel>\n& <@U1>'
    const links = [
      { label: '<!here>|x', url: 'https://example.com/<!channel>|evil?a=<b>|c#<d>|' },
      { label: 'no', url: 'javascript:alert(1)' },
      { label: 'no', url: 'not an address' },
    ]
    const { text, blocks } = await sendMessage({ title, text: title, links })
    expect(blocks[0]?.text?.text).toBe(':information_source: &lt;!channel&gt; &amp; &lt;@U1&gt;')
    expect(blocks[1]?.text?.text).toBe('&lt;!channel&gt;\n&amp; &lt;@U1&gt;')
    expect(blocks[2]?.elements?.[0]?.text).toBe(
      '<https://example.com/%3C!channel%3E%7Cevil?a=%3Cb%3E%7Cc#%3Cd%3E%7C|&lt;!here&gt;|x> · doorbell/bell.rung',
    )
    expect(text).not.toMatch(/<[!@#]/)
  })

  // Mattermost shows the text, with Markdown and mentions such as "@channel".
  it('escapes mentions and Markdown in the text for services without blocks', async () => {
    const title = '@channel @all'
    const text =
      '@here [reset](https://evil.example) ![x](https://evil.example/p.png)\n[y]: https://evil.example'
    const url = 'https://example.com/a(b)@all)?c=](d'
    const body = await sendMessage({ title, text, links: [{ label: '@all [x](https://evil.example)', url }] })
    expect(body.text.split('\n')).toEqual([
      ':information_source: *@\u200bchannel @\u200ball*',
      '@\u200bhere [reset]\u200b(https://evil.example) ![x]\u200b(https://evil.example/p.png)',
      '[y]\u200b: https://evil.example',
      '<https://example.com/a%28b%29@all%29?c=]%28d|@\u200ball [x]\u200b(https://evil.example)> · doorbell/bell.rung',
    ])
    const [header, section, context] = body.blocks
    expect([header?.text?.text, section?.text?.text]).toEqual([`:information_source: ${title}`, text])
    expect(context?.elements?.[0]?.text).toContain(`<${url}|@all [x](https://evil.example)>`)
  })

  it('uses the name of the event for an empty title', async () => {
    const { blocks } = await sendMessage({ title: ' ', text: '\n' })
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'context'])
    expect(blocks[0]?.text?.text).toBe(':information_source: doorbell/bell.rung')
  })

  it('ends truncated text with an ellipsis', async () => {
    const { blocks } = await sendMessage({ title: `${'x'.repeat(127)}&&`, text: '&'.repeat(3000) })
    expect(blocks[0]?.text?.text).toBe(`:information_source: ${'x'.repeat(127)}…`)
    expect(blocks[1]?.text?.text).toBe(`${'&amp;'.repeat(599)}…`)
    const whole = await sendMessage({ text: 'x'.repeat(3000) })
    expect(whole.blocks[1]?.text?.text).toBe('x'.repeat(3000))
  })

  it('truncates to the limits of Slack between characters and entities', async () => {
    const piece = fc.oneof(fc.constantFrom('&', '<', '>', '🔔', 'a', '\n'), fc.string({ unit: 'binary' }))
    const long = fc
      .tuple(fc.array(piece, { maxLength: 20 }), fc.constantFrom(0, 1, 10, 200))
      .map(([pieces, times]) => pieces.join('').repeat(times))
    const url = fc.oneof(long, fc.webUrl({ withQueryParameters: true }))
    const links = fc.array(fc.record({ label: long, url }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.record({ title: long, text: long, links }), async (message) => {
        const { blocks } = await sendMessage(message)
        const [header, ...others] = blocks
        expect(header?.text?.text.length).toBeLessThanOrEqual(150)
        for (const block of others) {
          for (const { text } of block.elements ?? [block.text!]) {
            expect(text.length).toBeGreaterThan(0)
            expect(text.length).toBeLessThanOrEqual(3000)
            expect(text.isWellFormed()).toBe(true)
          }
        }
        for (const block of blocks.slice(0, -1)) {
          const written = block.text?.text ?? ''
          expect(written).not.toMatch(/[<>]/)
          expect(written).not.toMatch(/&(?!amp;|lt;|gt;)/)
        }
      }),
      { numRuns: 100 },
    )
  })
})
