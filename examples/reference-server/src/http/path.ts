/**
 * The path that a template and the values of its parameters make: the same for every spelling that a request may have, of
 * an id in capitals or of letters that are percent-encoded.
 */
export function pathOf(template: string, params: object): string {
  const values = new Map<string, unknown>(Object.entries(params))
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
}
