export const style = `.shop {
  max-width: 44rem;
  margin: 0 auto;
  padding: 2.5rem 1.25rem 4rem;
}

h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.15rem; }
.eyebrow { margin: 0 0 .25rem; color: var(--accent); font-weight: 600; }
.hint { color: var(--quiet); font-size: .9rem; }
.status:empty { display: none; }
.status { font-weight: 600; }

ol { list-style: none; margin: 2rem 0; padding: 0; counter-reset: step; }
li {
  margin-bottom: 1rem;
  padding: 1.25rem 1.25rem .5rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 12px;
  counter-increment: step;
}
li h2::before { content: counter(step) " · "; color: var(--accent); }

form p { display: grid; gap: .25rem; margin: .5rem 0; }
label { font-weight: 600; font-size: .9rem; }
input {
  width: 100%;
  padding: .55rem .7rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--background);
  color: inherit;
  font: inherit;
}

.actions, form p.actions { display: flex; flex-wrap: wrap; gap: .6rem; }
button, .button {
  padding: .55rem 1rem;
  border: 1px solid var(--accent);
  border-radius: 8px;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
button.quiet { background: none; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

dl { margin: 1rem 0; display: grid; gap: .25rem; }
dl div { display: grid; grid-template-columns: 6rem 1fr; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9rem; }
code { padding: .1rem .3rem; border-radius: 4px; background: var(--background); font-size: .9em; overflow-wrap: anywhere; }
pre {
  overflow-x: auto;
  padding: .8rem 1rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--background);
  font-size: .82rem;
}
`
