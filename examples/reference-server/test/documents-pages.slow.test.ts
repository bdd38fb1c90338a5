import { describeNeeding } from '@sallyport/test-support/services'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { launch, requirement } from './console/browser.ts'

interface Operation {
  readonly id: string
  readonly tag: string
  readonly path: string
}

/** A page, and everything that it should not have done. */
interface Watched extends AsyncDisposable {
  readonly page: Page
  /** Errors, warnings and violations of the policy, as they were reported. */
  readonly complaints: readonly string[]
  /** Every address that was asked for. */
  readonly requests: readonly string[]
}

describeNeeding(requirement, (executablePath) => {
  let api: TestApi
  let browser: Browser
  let operations: readonly Operation[]
  beforeAll(async () => {
    ;[api, browser] = await Promise.all([startApi(), launch(executablePath)])
    const { paths } = (await (await fetch(`${api.base}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string; tags: [string] }>>
    }
    operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item).map(({ operationId: id, tags: [tag] }) => ({ id, tag, path })),
    )
  })
  afterAll(async () => {
    await browser.close()
    await api[Symbol.asyncDispose]()
  })

  async function open(path: string): Promise<Watched> {
    const context = await browser.newContext()
    // Rendering takes seconds of processor time, more under load.
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const complaints: string[] = []
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    context.on('weberror', (error) => complaints.push(error.error().message))
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await page.exposeFunction('violated', (violation: string) => complaints.push(violation))
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) => {
      violated(violation.violatedDirective + ' ' + violation.blockedURI)
    })`)
    await page.goto(`${api.base}${path}`)
    return { page, complaints, requests, [Symbol.asyncDispose]: () => context.close() }
  }

  /** Expects no request to another host, no violation of the policy and no error. */
  async function expectQuiet({ page, complaints, requests }: Watched): Promise<void> {
    // The requests of the last step start within this time.
    await page.waitForTimeout(300)
    expect(complaints).toEqual([])
    const own = ['data:', `${api.base}/`, `blob:${api.base}/`]
    expect(requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([])
    expect(requests).toContain(`${api.base}/api/openapi.json`)
  }

  /** The first operation of each tag. */
  const samples = () =>
    operations.filter(({ tag }, at) => operations.findIndex((one) => one.tag === tag) === at)

  describe('/api/docs', () => {
    it('shows and opens every operation', async () => {
      await using window = await open('/api/docs')
      const { page } = window
      await page.waitForSelector('.opblock')
      const shown = await getIds(page, '.opblock')
      expect(shown.toSorted()).toEqual(operations.map(({ id, tag }) => `operations-${tag}-${id}`).toSorted())

      const opened = samples()
      await clickAll(
        page,
        opened.map(({ id, tag }) => `#operations-${tag}-${id} .opblock-summary-control`),
      )
      await expect.poll(() => page.locator('.opblock-body .responses-table').count()).toBe(opened.length)
      await expectQuiet(window)
    })

    it('sends requests, with a token where one is needed', async () => {
      await using window = await open('/api/docs')
      const { page } = window
      const execute = async (id: string) => {
        const block = page.locator(`#operations-${id}`)
        await block.locator('.opblock-summary-control').click()
        await block.getByText('Try it out').click()
        await block.getByText('Execute', { exact: true }).click()
        const live = block.locator('.live-responses-table')
        await live.waitFor()
        const body = await live.locator('.response-col_description code').first().innerText()
        const status = await live.locator('.response-col_status').last().innerText()
        return { status, body: JSON.parse(body) as unknown }
      }

      expect(await execute('service-getHealth')).toEqual({ status: '200', body: { status: 'ok' } })
      expect(window.requests).toContain(`${api.base}/health`)

      await page.click('.auth-wrapper .authorize')
      await page.fill('.modal-ux input', api.admin.token)
      await page.click('.modal-ux .authorize')
      await page.click('.modal-ux .btn-done')
      expect(await execute('events-listEvents')).toMatchObject({ status: '200', body: { data: [] } })
      await expectQuiet(window)
    })
  })

  it('/api/redoc shows every operation, opens it and finds it', async () => {
    await using window = await open('/api/redoc')
    const { page } = window
    await page.waitForSelector('[id*="/operation/"]')
    const expected = operations.map(({ id, tag }) => `tag/${tag}/operation/${id}`).toSorted()
    await expect.poll(async () => (await getIds(page, '[id*="/operation/"]')).toSorted()).toEqual(expected)

    await clickAll(
      page,
      samples().map(({ id, tag }) => `[id="tag/${tag}/operation/${id}"] button:has(strong)`),
    )
    await page.getByPlaceholder('Search').fill('health')
    await page.locator('[data-role="search:results"] [data-item-id$="/operation/getHealth"]').waitFor()
    await expectQuiet(window)
  })
})

/** Runs in the page, whose types this program does not know. */
function getIds(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('${selector}')].map(({ id }) => id)`)
}

/** Without the wait for each that a person's click would take. */
function clickAll(page: Page, selectors: readonly string[]): Promise<void> {
  return page.evaluate(`for (const one of ${JSON.stringify(selectors)}) document.querySelector(one).click()`)
}
