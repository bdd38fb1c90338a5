/** A client that is loaded at the first call, and closed if it was created here. */
export interface LazyClient<Module, Client> {
  load(): Promise<{ readonly module: Module; readonly client: Client }>
  close(): void
}

/** @param given the client of the application, which stays open */
export function createLazyClient<Module, Client extends { destroy(): void }>(
  loadModule: () => Promise<Module>,
  create: (module: Module) => Client,
  given: Client | undefined,
): LazyClient<Module, Client> {
  let created: Client | undefined
  return {
    async load() {
      const module = await loadModule()
      return { module, client: given ?? (created ??= create(module)) }
    },
    close() {
      created?.destroy()
    },
  }
}

/** Attempts of one request. The dispatcher retries later. */
export const maxAttempts = 2
