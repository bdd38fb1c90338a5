import { describeNeeding } from '@sallyport/test-support/services'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ann, startSingleSignOn, type TestSingleSignOn } from '../issuer.ts'
import { launch, requirement, visit } from './browser.ts'

describeNeeding(requirement, (executablePath) => {
  let server: TestSingleSignOn
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startSingleSignOn(), launch(executablePath)])
  })
  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  it('logs a user in at the issuer, and shows a refusal', async () => {
    const { api, issuer } = server
    await using window = await visit(browser, api.base)
    const { page } = window
    const signIn = () => page.getByRole('link', { name: 'Sign in with Example' }).click()

    issuer.user = { ...ann, groups: ['sales'] }
    await window.open('/users')
    await page.getByLabel('Password').waitFor()
    await signIn()
    await page.getByText('Your account has no role here').waitFor()

    issuer.user = ann
    await window.open('/users')
    await signIn()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/users')
    await page.getByRole('cell', { name: /Ann \(you\).*single sign-on/ }).waitFor()
    await page.getByRole('button', { name: `Change: ${ann.email}` }).click()
    await page.getByText('Admin: the groups at').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: ann.email }).click()
    await page.getByText('Your password, e-mail address and role are at').waitFor()
    expect(await page.getByLabel('New password').count()).toBe(0)

    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(page.url()).toBe(`${api.base}/console`)
    const names = (await page.context().cookies(api.base)).map(({ name }) => name)
    expect(names).toEqual([])
    expect(window.complaints.filter((text) => !text.startsWith(`request ${issuer.url}/`))).toEqual([])
  })
})
