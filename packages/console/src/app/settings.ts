import type { PageSettings } from '../page.ts'

/** The settings that the server writes into the page. */
function readSettings(document: Document): PageSettings {
  const element = document.querySelector('meta[name="sallyport-console"]')
  return JSON.parse(element?.getAttribute('content') ?? '') as PageSettings
}

/** The path of the console without a slash at its end. The server sets the base of the page to it. */
export const basePath = new URL('.', document.baseURI).pathname.replace(/\/$/, '')
export const settings = readSettings(document)

/** Resolves an address of the settings, which is relative to the console. */
export const resolveAddress = (address: string): string =>
  new URL(address, document.baseURI).href.replace(/\/$/, '')
