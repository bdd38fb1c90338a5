/** The `error.type` of what was thrown: its code, or its name; never its message, which may hold data or a password. */
export function failureType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { readonly code?: unknown }
  const type = typeof code === 'string' ? code : error.name
  return /^\w{1,64}$/.test(type) ? type : '_OTHER'
}
