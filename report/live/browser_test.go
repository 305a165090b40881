package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/internal/storetest"
	"polytune/store"
)

// browser is Chromium's path, "" where it is not here.
func browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// walk uses the page as somebody does who has no mouse, and notes in the page what became of it.
const walk = `
(async () => {
  const wait = async f => { for (let k = 0; k < 400; k++) { const v = f(); if (v) return v; await new Promise(r => setTimeout(r, 25)); } throw new Error("waited in vain for " + f); };
  const said = {};
  const key = (e, key) => e.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const frame = () => new Promise(r => setTimeout(r, 100));
  try {
    await wait(() => document.querySelectorAll(".mark").length >= 40);
    said.sections = document.querySelectorAll("section.cell").length;
    said.titles = document.querySelectorAll(".mark title").length === document.querySelectorAll(".mark").length;
    const svg = document.querySelector("svg.strip");
    svg.focus();
    key(svg, "ArrowRight"); key(svg, "ArrowRight"); key(svg, "ArrowLeft");
    said.tip = document.getElementById("tip").textContent;
    said.ring = document.querySelectorAll(".focus").length;
    said.inside = (() => { const b = document.getElementById("tip").getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth; })();
    if (location.hash === "#plain") { await frame(); document.activeElement.blur(); scrollTo(0, 0); }
    else {
      key(svg, "Enter");
      await wait(() => document.querySelector("#detail[open] pre .hot"));
      said.detail = document.getElementById("detail").textContent.replace(/\s+/g, " ");
      said.markup = document.querySelectorAll("#detail b").length;
      said.groups = [...document.querySelectorAll(".assembly .of")].map(e => e.textContent);
      said.makers = [...document.querySelectorAll(".recipe .hot")].map(e => e.textContent);
      document.querySelector(".assembly .line").dispatchEvent(new Event("pointerover", { bubbles: true }));
      said.now = [...document.querySelectorAll("#detail .now")].map(e => e.textContent.trim());
      if (location.hash !== "#detail") {
        document.getElementById("close").click();
        await frame();
        said.closed = !document.getElementById("detail").open;
        const machine = document.getElementById("machine");
        machine.value = "beta";
        machine.dispatchEvent(new Event("change"));
        await frame();
        said.shown = [...document.querySelectorAll("section.cell")].filter(s => !s.hidden).length;
        document.querySelector("section.cell:not([hidden]) > button").click();
        said.lines = document.querySelectorAll("section.cell:not([hidden]) tbody tr").length;
      }
    }
    said.wide = document.documentElement.scrollWidth <= innerWidth;
  } catch (problem) { said.problem = String(problem); }
  await fetch("said", { method: "POST", body: JSON.stringify(said) });
})();
`

// seen serves sessions to a browser, with a walk through the page, which is loaded when the walk has
// ended; said is what came of it.
func seen(t *testing.T) (url string, said func() string) {
	t.Helper()
	db := storetest.Open(t)
	for k, machine := range []string{"alpha", "beta"} {
		s := storetest.Session{Kernel: "polybench/gemm", Size: "large", Machine: machine}
		for i := range 60 {
			v := storetest.Variant{ID: fmt.Sprintf("0-%d.%08x", i%3, 48271*(i+1)), Partition: fmt.Sprintf("0-%d", i%3), Recipe: "classes {S0}\n", Seconds: 1 / (0.6 + float64((i*37+k)%23)/3), Rounds: 1}
			if i%6 == 0 {
				v.Rounds = 0
			}
			s.Variants = append(s.Variants, v)
		}
		id := s.Record(t, db)
		for _, v := range s.Variants {
			if err := db.RecordCandidates(t.Context(), id, store.Candidate{Partition: v.Partition, Setting: "tile=wide tile.1=" + v.ID[4:], Variant: v.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	h, _ := served(t, db.Path(), func(o *Options) {
		o.Code = func(context.Context, string, string) (*Code, error) {
			code := &Code{Recipe: "classes {S0 S1}\ntile c0.1 c0.2 by 32 32\nvectorize c0.2\n", Compiler: "gcc 12.2.0", Notes: []string{"<b>a note</b>"},
				Original: "for (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++)\n    C[i][j] *= beta;\n"}
			code.Variant = strings.Repeat(code.Original, 8)
			for i := range 6 {
				code.Loop = append(code.Loop, Instruction{
					Address: fmt.Sprint(i), Text: fmt.Sprintf("vfmadd231pd 0x%x(%%rsi,%%rax,8),%%ymm2,%%ymm%d", 32*i, i), Line: 2 + i/3, Loop: "c0.2", Recipe: []int{2, 3},
				})
			}
			code.Loop = append(code.Loop, Instruction{Address: "6", Text: "jne 0"})
			return code, nil
		}
	})
	inner, ended, found := h.Config.Handler, make(chan struct{}), ""
	once := sync.OnceFunc(func() { close(ended) })
	t.Cleanup(once)
	h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/walk.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, walk)
		case "/said":
			text, _ := io.ReadAll(r.Body)
			found = string(text)
			once()
		case "/hold":
			select {
			case <-ended:
			case <-r.Context().Done():
			}
			http.NotFound(w, r)
		case "/walk":
			recorder := httptest.NewRecorder()
			r.URL.Path = "/"
			inner.ServeHTTP(recorder, r)
			for name, values := range recorder.Header() {
				w.Header()[name] = values
			}
			_, _ = io.WriteString(w, strings.Replace(recorder.Body.String(), "</head>", `<script src="walk.js" defer></script></head>`, 1)+`<img src="hold" alt="" hidden>`)
		default:
			inner.ServeHTTP(w, r)
		}
	})
	return h.URL + "/walk", func() string { <-ended; return found }
}

// chromium runs the browser with a page.
func chromium(t *testing.T, url string, arguments ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	words := append([]string{"--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + t.TempDir(), "--timeout=60000"}, arguments...)
	c := exec.CommandContext(ctx, browser(), append(words, url)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return text
}

// In a browser the page works without a mouse, and is not wider than a telephone's.
func TestInBrowser(t *testing.T) {
	if browser() == "" {
		t.Skip("no Chromium is here")
	}
	url, ended := seen(t)
	chromium(t, url, "--window-size=500,900", "--dump-dom")
	said := ended()
	for _, want := range []string{`"sections":2`, `"titles":true`, `tile wide, tile `, `"ring":1`, `"inside":true`, `vfmadd231pd`, `tile c0.1 c0.2 by 32 32`, `C[i][j] *= beta`,
		`"groups":["line 2 · loop c0.2 · recipe 2 3for (int j = 0; j < n; j++)","line 3 · loop c0.2 · recipe 2 3C[i][j] *= beta;","of no line of the code"]`,
		`"makers":["tile c0.1 c0.2 by 32 32","vectorize c0.2"]`, `"now":["for (int j = 0; j < n; j++)","tile c0.1 c0.2 by 32 32","vectorize c0.2"]`,
		`"markup":0`, `"closed":true`, `"shown":1`, `"lines":60`, `"wide":true`} {
		if !strings.Contains(said, want) {
			t.Errorf("no %s in %s", want, said)
		}
	}
	folder := os.Getenv("POLYTUNE_PICTURES")
	if folder == "" {
		return
	}
	for _, hash := range []string{"detail", "plain"} {
		for _, width := range []int{500, 1280, 800} {
			for _, scheme := range []string{"light", "dark"} {
				arguments := []string{fmt.Sprintf("--window-size=%d,1000", width), "--screenshot=" + filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", hash, width, scheme))}
				if scheme == "dark" {
					arguments = append(arguments, "--blink-settings=preferredColorScheme=0")
				}
				url, _ := seen(t)
				chromium(t, url+"#"+hash, arguments...)
			}
		}
	}
}
