import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const key = 'sallyport.theme'
const listeners = new Set<() => void>()
const preference = matchMedia('(prefers-color-scheme: dark)')

function getTheme(): Theme {
  const chosen = localStorage.getItem(key)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return preference.matches ? 'dark' : 'light'
}

/** Applies the chosen theme, or that of the system. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = getTheme()
  for (const call of listeners) call()
}

function setTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  applyTheme()
}

preference.addEventListener('change', applyTheme)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Returns the theme and a function that chooses another one. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, getTheme), setTheme]
}
