import { randomUUID } from 'node:crypto'
import { builtInSamples } from '@sallyport/providers/samples'
import { describeNeeding } from '@sallyport/test-support/services'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../api.ts'
import { launch, requirement, visit } from './browser.ts'
import { deliver, providerSettings } from './seed.ts'

const texts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202egnp.exe\u202c',
  '\u001b[31mred\u001b]8;;http://attacker.invalid\u0007link',
  '</textarea><style>*{display:none}</style>',
  '__proto__',
]
const hostile = Object.fromEntries(texts.map((text) => [text, text]))

/** Bodies with a part of the text that the page has to show. */
const bodies: Readonly<Record<string, string>> = {
  'HTML, SVG, scripts and controls': JSON.stringify({
    type: 'workflow_run.completed',
    payload: { ...hostile, list: texts },
  }),
  'a line of 5 MB': JSON.stringify({
    type: 'workflow_run.completed',
    payload: { line: 'x'.repeat(5_000_000) },
  }),
  'JSON with 60 levels': `{"type":"workflow_run.completed","payload":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
  '100,000 members': JSON.stringify({
    type: 'workflow_run.completed',
    payload: Array.from({ length: 100_000 }, (_, n) => ({ n })),
  }),
}

describeNeeding(requirement, (executablePath) => {
  let api: TestApi
  let browser: Browser
  beforeAll(async () => {
    ;[api, browser] = await Promise.all([
      startApi({ ...providerSettings, WEBHOOK_BODY_LIMIT: '8mb' }),
      launch(executablePath),
    ])
  })
  afterAll(async () => {
    await browser.close()
    await api[Symbol.asyncDispose]()
  })

  async function store(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
    const headers = {
      'user-agent': '<img src=x onerror=alert(1)>',
      'x-hostile': '"><svg/onload=alert(2)> javascript:alert(2)',
    }
    expect(await deliver(api.base, 'codehost', body, headers)).toBe(200)
    const { list } = await api.call('GET', '/deliveries?limit=1', { token: api.admin.token })
    return list[0]!.id
  }

  it.each(Object.entries(bodies))('shows %s as text', async (_, body) => {
    const id = await store(body)
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    const start = Date.now()
    await window.open(`/deliveries/${id}`)
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByRole('region', { name: 'Body as a JSON tree' }).waitFor()
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByLabel('Search in the body').first().fill('payload')
    await page.getByRole('tab', { name: 'Hex' }).click()
    await page.getByRole('region', { name: 'Body in hexadecimal' }).waitFor()
    // Only the visible lines are in the document.
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(3000)
    expect(Date.now() - start).toBeLessThan(60_000)
    for (const path of ['/deliveries', '/events', `/deliveries/${id}?compare=${id}`]) await window.open(path)
    expect(window.complaints).toEqual([])
  })

  it('shows bidirectional controls and escape characters', async () => {
    const id = await store(
      JSON.stringify({
        type: 'workflow_run.completed',
        payload: { name: 'a\u202egnp.exe', color: '\u001b[31m' },
      }),
    )
    await using window = await visit(browser, api.base, { operator: api.admin })
    await window.open(`/deliveries/${id}`)
    await window.page.getByText('RLO').waitFor()
    await window.page.getByTitle('U+001B').waitFor()
    expect(window.complaints).toEqual([])
  })

  it('shows hostile subjects as text', async () => {
    const samples = (await builtInSamples.get('tasks')?.())!
    const { body } = samples.sample('task.created', { fresh: true, now: () => Date.now(), randomUUID })
    const sample = JSON.stringify(body)
    for (const text of texts) {
      expect(await deliver(api.base, 'tasks', sample.replaceAll(/"6X\w+"/g, JSON.stringify(text)))).toBe(200)
    }
    await using window = await visit(browser, api.base, { operator: api.admin })
    for (const path of ['/deliveries?provider=tasks', '/events?provider=tasks']) {
      await window.open(path)
      await window.page.getByText('<svg/onload=alert(1)>').first().waitFor()
    }
    expect(window.complaints).toEqual([])
  })

  it('shows hostile filters of the address as text', async () => {
    await using window = await visit(browser, api.base, { operator: api.admin })
    for (const text of texts) {
      await window.open(
        `/deliveries?provider=${encodeURIComponent(text)}&subject=${encodeURIComponent(text)}`,
      )
    }
    // The API refuses some of the filters with 400.
    expect(window.complaints).toEqual([])
  })
})
