import { defineComponent, h, ref } from 'vue'

const style = {
  width: '100%',
  padding: '8px 12px',
  marginBottom: '24px',
  border: '1px solid var(--vp-c-border)',
  borderRadius: '8px',
  background: 'var(--vp-c-bg-alt)',
}

/** A field that hides the rows of the tables on the page that do not contain its text. */
export const ProviderFilter = defineComponent({
  setup() {
    const matches = ref<number>()

    const filterRows = (event: Event): void => {
      const text = (event.target as HTMLInputElement).value.trim().toLowerCase()
      // The table before the headings compares services with normalized providers.
      const rows = [...document.querySelectorAll<HTMLElement>('.vp-doc h2 ~ table tbody tr')]
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(text)
      matches.value = text === '' ? undefined : rows.filter(({ hidden }) => !hidden).length
    }

    return () =>
      h('label', [
        `Find a service${matches.value === undefined ? '' : `: ${matches.value} found`}`,
        h('input', { type: 'search', placeholder: 'for example stripe', style, onInput: filterRows }),
      ])
  },
})
