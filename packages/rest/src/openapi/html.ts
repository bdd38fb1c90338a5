/** Markup in which all text is escaped. */
export interface Markup {
  readonly html: string
}

export type Content = Markup | string | number | false | undefined | readonly Content[]

/**
 * Creates markup from a template. Values are escaped, except markup. The name is not `html`, because prettier would change
 * the white space of such templates.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return { html: String.raw({ raw: parts }, ...values.map(render)) }
}

function render(content: Content): string {
  if (content === undefined || content === false) return ''
  if (typeof content !== 'object')
    return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return 'html' in content ? content.html : content.map(render).join('')
}
