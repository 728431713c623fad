import { useEffect, useState } from 'react'

/** The text as it was when nothing had been typed for a moment. @param ms how long a moment is */
export function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return settled
}
