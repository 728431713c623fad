export const style = `:root {
  color-scheme: light dark;
  --ink: light-dark(#0f172a, #e2e8f0);
  --quiet: light-dark(#475569, #94a3b8);
  --accent: light-dark(#0f766e, #5eead4);
  --line: light-dark(#e2e8f0, #334155);
  --ground: light-dark(#f8fafc, #0f172a);
}

body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif;
}

main {
  max-width: 40rem;
  margin: 0 auto;
  padding: 12vh 1.5rem 3rem;
}

h1 {
  margin: 0;
  font-size: 1.75rem;
}

p {
  color: var(--quiet);
}

ul {
  margin: 2rem 0;
  padding: 0;
  list-style: none;
}

li {
  padding: 1rem 0;
  border-top: 1px solid var(--line);
}

li p {
  margin: 0.25rem 0 0;
}

a {
  color: var(--accent);
  font-weight: 600;
}

code {
  font-size: 0.9em;
}
`
