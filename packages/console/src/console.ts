import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SallyportError } from '@sallyport/errors'
import {
  createApi,
  createRouteGroup,
  type Api,
  type ApiContext,
  type ApiOptions,
  type RouteBinding,
} from '@sallyport/rest'
import { chooseRepresentation, createFile, findApplication, readAssets, type StaticFile } from './files.ts'
import { pageHeaders, renderPage, type LoginSettings } from './page.ts'

export interface ConsoleOptions {
  /**
   * The address of the operations API on the same origin: a path such as `/operations`, or relative to the console, such as
   * `../operations`, which also works behind a proxy that adds a prefix.
   *
   * @default '../operations'
   */
  readonly api?: string
  /** The address of the OpenAPI document. The console shows only what the document declares. @default `openapi.json` below `api` */
  readonly document?: string
  /**
   * How an operator logs in after a response 401.
   *
   * - `sessions`: a form that creates a session with a cookie at this address, as the reference server has. With
   *   `singleSignOn`, also a link to an address that begins a login elsewhere, with `return_to`, and `/end` below it ends one.
   *   With `arePasswordsUsual: false` the form is folded.
   * - `page`: a link to a page of the host.
   *
   * @default no login: a proxy in front of the host authenticates
   */
  readonly login?:
    | {
        readonly sessions: string
        readonly singleSignOn?: { readonly address: string; readonly name: string }
        readonly arePasswordsUsual?: boolean
      }
    | { readonly page: string }
}

/**
 * Creates the console. A host of `@sallyport/rest` mounts it under any path.
 *
 * The files contain no data and are public. The operations API authenticates every request of the page, so mount both on
 * one origin and authenticate by an `HttpOnly` cookie or in a proxy.
 *
 * @throws TypeError for an address on another origin
 * @throws Error if the application is not built
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createConsole } from '@sallyport/console'
 * import type { Api } from '@sallyport/rest'
 * import { createNodeListener } from '@sallyport/rest/node'
 *
 * declare const operations: Api // createOperations(…)
 * const console = createConsole({ login: { page: '/login' } })
 * createServer(
 *   createNodeListener(operations, {
 *     mount: '/operations',
 *     otherwise: createNodeListener(console, { mount: '/console' }),
 *   }),
 * ).listen(3112, 'localhost')
 * ```
 */
export function createConsole({
  rateLimits,
  onError,
  onResponse,
  ...options
}: ConsoleOptions & Pick<ApiOptions<unknown, object>, 'rateLimits' | 'onError' | 'onResponse'> = {}): Api {
  return createApi({
    routes: createConsoleRoutes(options),
    ...(rateLimits && { rateLimits }),
    ...(onError && { onError }),
    ...(onResponse && { onResponse }),
  })
}

/** Reports whether the application is built. The published package is; sources need `npm run build`. */
export const isConsoleBuilt = (): boolean => findApplication() !== undefined

const route = createRouteGroup({ access: 'public' })

/**
 * Creates the routes of the console for an API of the application. `createConsole` creates a whole API.
 *
 * @throws TypeError for an address on another origin
 * @throws Error if the application is not built
 */
export function createConsoleRoutes(options: ConsoleOptions = {}): readonly RouteBinding[] {
  const { api = '../operations' } = options
  const folder = findApplication()
  if (folder === undefined) throw new Error('The console is not built: run `npm run build`')
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const settings = {
    api: checkAddress('api', api),
    document: checkAddress('document', options.document ?? `${api.replace(/\/$/, '')}/openapi.json`),
    login: toLogin(options.login),
  }
  const assets = readAssets(folder)
  const createPage = (base: string) =>
    createFile(Buffer.from(renderPage(html, base, settings)), 'text/html; charset=utf-8', pageHeaders)
  const [pageBelowRoot, itemBelowPage] = [createPage('./'), createPage('../')]

  return [
    // The request may end with a slash or not, so a relative base would be wrong for one of them.
    route.get('/', { ...page, operationId: 'getConsole' }, (_, { header, mountPath }) =>
      answer(createPage(`${mountPath}/`), header),
    ),
    route.get(
      '/assets/{file}',
      {
        operationId: 'getConsoleFile',
        responses: { 200: { description: 'The file', mediaType: '*' } },
      },
      ({ params }, { header }) => {
        const file = assets.get(params.file)
        if (file === undefined) throw new SallyportError('NOT_FOUND', 'The path does not exist')
        return answer(file, header)
      },
    ),
    // The application knows its pages, and says which address is none.
    route.get('/{page}', { ...page, operationId: 'getConsolePage' }, (_, { header }) =>
      answer(pageBelowRoot, header),
    ),
    route.get('/{page}/{id}', { ...page, operationId: 'getConsoleItem' }, (_, { header }) =>
      answer(itemBelowPage, header),
    ),
  ]
}

const page = {
  responses: { 200: { description: 'The page', mediaType: 'text/html; charset=utf-8' } },
} as const

function answer(file: StaticFile, header: ApiContext['header']) {
  return { status: 200 as const, ...chooseRepresentation(file, header('accept-encoding')) }
}

/** @throws TypeError for an address on another origin */
function checkAddress(option: string, address: string): string {
  const { origin } = new URL(address, 'http://console.invalid/console/')
  if (origin !== 'http://console.invalid')
    throw new TypeError(`${option} must be an address on the origin of the console, such as /operations`)
  return address
}

function toLogin(login: ConsoleOptions['login']): LoginSettings {
  if (login === undefined) return { kind: 'none' }
  if ('page' in login) return { kind: 'page', address: checkAddress('login', login.page) }
  const { sessions, singleSignOn, arePasswordsUsual = true } = login
  return {
    kind: 'sessions',
    address: checkAddress('login', sessions),
    ...(singleSignOn && {
      singleSignOn: { ...singleSignOn, address: checkAddress('singleSignOn', singleSignOn.address) },
    }),
    arePasswordsUsual,
  }
}
