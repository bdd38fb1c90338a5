/** The export name of a provider, and the prefix of its types and schemas. */
export const identifier = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Names of other entries of the package. */
const entries = ['index', 'samples', 'generic', 'catalogue', 'reconcile', 'subscriptions']

/** Other names that the generated lists declare. */
const declared = [
  'builtInCatalogue',
  'builtInProviders',
  'builtInSamples',
  'createCatalogueEntry',
  'createServiceSamples',
  'facts',
]

/** Reserved words, and names that look like values of the language. */
const words =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public ' +
  'return static super switch this throw true try typeof undefined var void while with yield'

const taken = new Set([...entries, ...declared, ...words.split(' ')])

/** Whether a name or its export name is reserved. */
export const isTaken = (name: string): boolean => taken.has(name) || taken.has(identifier(name))
