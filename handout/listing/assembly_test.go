package listing

import (
	"strings"
	"testing"
)

// dump is what objdump prints of a function with two loops, one in a part of its own, and of another
// function.
const dump = `
variant.o:     file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <other>:
other():
/tmp/v/variant.c:3
   0:	vfmadd231pd %zmm1,%zmm2,%zmm3
   6:	jmp    0 <other>

0000000000000010 <kernel._omp_fn.0>:
kernel._omp_fn.0():
/tmp/v/variant.c:12
  10:	xor    %eax,%eax
/tmp/v/variant.c:13
  14:	vmulsd (%rdi),%xmm1,%xmm2
  18:	vmovsd %xmm2,(%rdi)
  1c:	jne    14 <kernel._omp_fn.0+0x4>
/usr/include/math.h:40
  20:	inc    %eax
/tmp/v/variant.c:15 (discriminator 3)
  24:	vfmadd231pd (%rsi,%rax,8),%ymm2,%ymm3
  2a:	vaddpd %ymm3,%ymm4,%ymm4        # 40 <x>
/tmp/v/variant.c:99
  30:	jb     24 <kernel._omp_fn.0+0x14>
/tmp/v/variant.c:12
  34:	jne    14 <kernel._omp_fn.0+0x4>
  36:	ret
`

// The hot loop is the innermost one with the most floating-point operations, with lines of the
// variant's own code.
func TestHottest(t *testing.T) {
	t.Parallel()
	at := place{file: "/tmp/v/variant.c", function: "kernel", first: 10, last: 20}
	loop := hottest(parse(dump, at))
	if len(loop) != 3 || loop[0].Text != "vfmadd231pd (%rsi,%rax,8),%ymm2,%ymm3" || loop[0].Line != 6 || loop[1].Text != "vaddpd %ymm3,%ymm4,%ymm4" || loop[2].Line != 0 {
		t.Errorf("%+v", loop)
	}
	if loop := hottest(parse(strings.ReplaceAll(dump, "kernel", "none"), at)); loop != nil {
		t.Errorf("the loop of another function: %+v", loop)
	}
	if loop := hottest(parse("", at)); loop != nil {
		t.Errorf("a loop of nothing: %+v", loop)
	}
}
